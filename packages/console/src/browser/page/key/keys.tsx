import type { ApiKeyJson, IssuedApiKeyJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useRight } from '../../session/use-session.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import type { Column } from '../../ui/data-table.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { OnceShown } from '../../ui/once-shown.tsx'
import { State } from '../../ui/state.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import { IssueKey, KeyActions } from './key-actions.tsx'
import { keyActionTexts, keyStatusTexts, keyTexts } from './key-texts.ts'

type KeyStatus = keyof typeof keyStatusTexts

/** As the notice to the technical contact. */
const endsSoonMs = 7 * 86_400_000

const tones = { active: 'ok', ending: 'warn', waiting: 'warn', expired: 'quiet', revoked: 'quiet' } as const

function statusOf({ revoked_at, expires_at, activated_at }: ApiKeyJson): KeyStatus {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && new Date(expires_at) <= new Date()) return 'expired'
  if (activated_at === null) return 'waiting'
  return expires_at !== null && Date.parse(expires_at) < Date.now() + endsSoonMs ? 'ending' : 'active'
}

const isUsable = (key: ApiKeyJson): boolean => ['active', 'ending', 'waiting'].includes(statusOf(key))

const columns: readonly Column<ApiKeyJson>[] = [
  { head: keyTexts.name, cell: ({ name }) => name, isName: true },
  { head: recordTexts.status, cell: (key) => <State of={statusOf(key)} tones={tones} texts={keyStatusTexts} /> },
  {
    head: keyTexts.key,
    cell: ({ id, prefix, last_four: last }) => (
      <code title={id}>
        {prefix}…{last}
      </code>
    ),
  },
  { head: keyTexts.scopes, align: 'wide', cell: ({ scopes }) => scopes.join(', ') },
  { head: keyTexts.lastUsed, cell: ({ last_used_at: at }) => (at === null ? <Nothing /> : <Time at={at} />) },
  { head: recordTexts.expires, cell: ({ expires_at: at }) => (at === null ? <Nothing /> : <Time at={at} />) },
  { head: keyTexts.addresses, cell: ({ allowed_addresses: from }) => <Addresses of={from} /> },
]

function Addresses({ of }: { readonly of: readonly string[] | null }): VNode {
  const say = useSay()
  if (of === null) return <span class="muted">{say(keyTexts.everywhere)}</span>
  return <>{of.flatMap((address, at) => [at > 0 && ', ', <code key={address}>{address}</code>])}</>
}

/** The API keys of a tenant. */
export function Keys({ tenantId }: { readonly tenantId: string }): VNode {
  const canChange = useRight('operator')
  const [issued, setIssued] = useState<IssuedApiKeyJson>()
  const cell = (key: ApiKeyJson): VNode =>
    isUsable(key) ? <KeyActions apiKey={key} onIssued={setIssued} /> : <Nothing />
  return (
    <>
      <ListSection<ApiKeyJson>
        heading={keyTexts.title}
        from={`/tenants/${encodeURIComponent(tenantId)}/api-keys`}
        columns={canChange ? [...columns, { head: recordTexts.actions, cell }] : columns}
        empty={keyTexts.empty}
        actions={<IssueKey tenantId={tenantId} onIssued={setIssued} />}
      />
      {issued && <NewKey issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  )
}

type NewKeyProps = { readonly issued: IssuedApiKeyJson; readonly onClose: () => void }

function NewKey({ issued, onClose }: NewKeyProps): VNode {
  const say = useSay()
  return (
    <OnceShown heading={say(keyActionTexts.shown)} secret={issued.key} onClose={onClose}>
      {say(keyActionTexts.shownHint)} {issued.proposal_id !== null && say(keyActionTexts.waits)}
    </OnceShown>
  )
}
