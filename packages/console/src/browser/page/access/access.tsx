import type { KeyUseJson, ProcessListJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { useFormat } from '../../text/format.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import type { PageProps } from '../page.ts'
import { accessTexts, keyStateTexts } from './access-texts.ts'
import { SecondFactor, Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'

/** Who and what may act: operator tokens, processes, and the keys that these have. */
export function Access({ title }: PageProps): VNode {
  return (
    <>
      <PageHead title={title} />
      <Sessions />
      <SecondFactor />
      <Tokens />
      <Processes />
      <Keys />
    </>
  )
}

type Process = ProcessListJson['data'][number]

function Duration({ of }: { readonly of: number }): VNode {
  return <>{useFormat().duration(of)}</>
}

const processColumns: readonly Column<Process>[] = [
  { head: accessTexts.program, cell: ({ program }) => program, isName: true },
  { head: recordTexts.id, cell: ({ id }) => <code>{id}</code> },
  { head: accessTexts.host, cell: ({ host }) => host },
  { head: accessTexts.age, align: 'end', cell: ({ age_seconds: age }) => <Duration of={age} /> },
  { head: accessTexts.silent, align: 'end', cell: ({ silent_seconds: silent }) => <Duration of={silent} /> },
  { head: accessTexts.clock, align: 'end', cell: ({ clock_ahead_ms: ahead }) => ahead },
]

function Processes(): VNode {
  const say = useSay()
  const live = useLive<ProcessListJson>('/processes')
  return (
    <Section heading={accessTexts.processes}>
      <Loaded live={live}>
        {({ data }) => (
          <DataTable
            caption={say(accessTexts.processes)}
            columns={processColumns}
            rows={data}
            keyOf={({ id }) => id}
            empty={say(accessTexts.noProcess)}
          />
        )}
      </Loaded>
    </Section>
  )
}

type UsedKey = NonNullable<KeyUseJson['address_macs']>[number] & { readonly setting: string }

const tones = { current: 'ok', older: 'info', missing: 'bad' } as const

const stateOf = ({ current, configured }: UsedKey): keyof typeof tones => {
  if (current) return 'current'
  return configured ? 'older' : 'missing'
}

const keyColumns: readonly Column<UsedKey>[] = [
  { head: accessTexts.setting, cell: ({ setting }) => <code>{setting}</code>, isName: true },
  { head: accessTexts.key, cell: ({ id }) => <code>{id}</code> },
  { head: accessTexts.values, align: 'end', cell: ({ values }) => values },
  { head: recordTexts.status, cell: (key) => <State of={stateOf(key)} tones={tones} texts={keyStateTexts} /> },
]

const keysOf = ({ webhook_secrets: secrets, address_macs: macs }: KeyUseJson): UsedKey[] => [
  ...(secrets ?? []).map((key) => ({ ...key, setting: 'WEBHOOK_SECRET_KEY' })),
  ...(macs ?? []).map((key) => ({ ...key, setting: 'ADDRESS_MAC_KEY' })),
]

function Keys(): VNode {
  const say = useSay()
  const live = useLive<KeyUseJson>('/key-use')
  return (
    <Section heading={accessTexts.keyUse} hint={accessTexts.keyUseHint}>
      <Loaded live={live}>
        {(use) => (
          <DataTable
            caption={say(accessTexts.keyUse)}
            columns={keyColumns}
            rows={keysOf(use)}
            keyOf={({ setting, id }) => `${setting} ${id}`}
            empty={say(accessTexts.noKey)}
          />
        )}
      </Loaded>
    </Section>
  )
}
