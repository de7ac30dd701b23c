import { expect, test } from 'vitest'
import { held } from './hold.ts'

test('what two faults hold at once ends with the last of them, and may begin again', async () => {
  const events: string[] = []
  const hold = held(
    () => events.push('begin'),
    () => events.push('end'),
  )
  const [first, second] = await Promise.all([hold(), hold()])
  await first()
  await first()
  expect(events).toEqual(['begin'])
  await second()
  expect(events).toEqual(['begin', 'end'])
  const third = await hold()
  await third()
  expect(events).toEqual(['begin', 'end', 'begin', 'end'])
})
