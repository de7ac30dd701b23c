import { ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { countedSpans, type LostSpans } from './counted-spans.ts'

type Done = (result: { code: ExportResultCode }) => void

const span = {} as ReadableSpan

/** A queue of three places in front of a collector whose answers the test gives. */
function harness() {
  const reports: LostSpans[] = []
  const queue: ReadableSpan[] = []
  const answers: Done[] = []
  const target = {
    export: (_: readonly ReadableSpan[], done: Done) => void answers.push(done),
    shutdown: async () => undefined,
  }
  const counted = countedSpans(target, (lost) => reports.push(lost), 3)
  const inner: SpanProcessor = {
    onStart: () => undefined,
    onEnd: (ended) => void queue.push(ended),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  }
  const processor = counted.bounded(inner)
  return {
    reports,
    queue,
    counted,
    end: (count: number) => {
      for (let n = 0; n < count; n++) processor.onEnd(span)
    },
    flush: () => counted.exporter.export(queue.splice(0), () => undefined),
    answer: (code: ExportResultCode) => answers.shift()?.({ code }),
  }
}

test('drops and counts what the queue has no place for', () => {
  const { end, flush, answer, queue, reports, counted } = harness()
  end(5)
  expect(queue).toHaveLength(3)
  flush()
  end(3)
  expect(queue).toHaveLength(3)
  answer(ExportResultCode.SUCCESS)
  expect(reports).toEqual([{ dropped: 2, failed: 0 }])
  expect(counted.lost()).toEqual({ dropped: 2, failed: 0 })
})

test('counts a failed export once, and reports nothing while no more is lost', () => {
  const { end, flush, answer, reports } = harness()
  for (const code of [ExportResultCode.FAILED, ExportResultCode.SUCCESS]) {
    end(2)
    flush()
    answer(code)
  }
  expect(reports).toEqual([{ dropped: 0, failed: 2 }])
})

test('what waits or is being sent at the end is lost', () => {
  const { end, flush, reports, counted } = harness()
  end(2)
  flush()
  end(1)
  counted.giveUp()
  counted.giveUp()
  expect(reports).toEqual([{ dropped: 0, failed: 3 }])
})
