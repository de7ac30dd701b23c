import type { ApiKeyJson, IssuedApiKeyJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useRight, useSession } from '../../session/use-session.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import type { Column } from '../../ui/data-table.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { OnceShown } from '../../ui/once-shown.tsx'
import { State, optionsOf } from '../../ui/state.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import { keyActionTexts, keyStatusTexts, keyTexts, scopeTexts } from './key-texts.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { type Field, filledIn, linesOf } from '../../ui/fields.tsx'
import { noteOf, optionalEvidenceFields, optionalReasonField } from '../../ui/note-fields.ts'

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

const addressField: Field = {
  name: 'allowed_addresses',
  kind: 'long',
  maxLength: 2_000,
  label: keyTexts.addresses,
  hint: keyTexts.addressesHint,
  isOptional: true,
}

const issueFields: readonly Field[] = [
  { name: 'name', kind: 'text', maxLength: 100, label: keyTexts.name },
  { name: 'scopes', kind: 'many', label: keyTexts.scopes, options: optionsOf(scopeTexts) },
  { name: 'expires_at', kind: 'day', label: recordTexts.expires, hint: keyTexts.expiresHint, isOptional: true },
  addressField,
]

/** Only in production another person approves keys. */
function useNoteFields(): readonly Field[] {
  const { environment } = useSession()
  return environment === 'production' ? [optionalReasonField, ...optionalEvidenceFields] : []
}

type IssueKeyProps = { readonly tenantId: string; readonly onIssued: (issued: IssuedApiKeyJson) => void }

function IssueKey({ tenantId, onIssued }: IssueKeyProps): VNode {
  const say = useSay()
  const notes = useNoteFields()
  return (
    <ActionDialog<IssuedApiKeyJson>
      label={say(keyActionTexts.issue)}
      right="operator"
      fields={[...issueFields, ...notes]}
      change={(values) => {
        const addresses = linesOf(values['allowed_addresses'])
        const { expires_at: day } = filledIn(values, ['expires_at'])
        return {
          path: `/tenants/${tenantId}/api-keys`,
          body: {
            name: values['name'],
            scopes: linesOf(values['scopes']),
            ...(day !== undefined && { expires_at: `${day}T23:59:59Z` }),
            ...(addresses.length > 0 && { allowed_addresses: addresses }),
            ...noteOf(values),
          },
        }
      }}
      done={() => say(keyActionTexts.issued)}
      onDone={onIssued}
    >
      {say(keyActionTexts.issueHint)}
    </ActionDialog>
  )
}

type KeyActionsProps = {
  /** Works, or waits for its approval. */
  readonly apiKey: ApiKeyJson
  readonly onIssued: (issued: IssuedApiKeyJson) => void
}

/** Actions of operators on a key. */
function KeyActions({ apiKey, onIssued }: KeyActionsProps): VNode {
  const say = useSay()
  const path = `/api-keys/${apiKey.id}`
  const about = `${apiKey.name} …${apiKey.last_four}`
  const addresses = (apiKey.allowed_addresses ?? []).join('\n')
  return (
    <span class="row-actions">
      {apiKey.activated_at !== null && <RotateKey {...{ path, about, onIssued }} />}
      <ActionDialog
        label={say(keyActionTexts.limit)}
        about={about}
        right="admin"
        fields={[{ ...addressField, initial: addresses }]}
        change={(values) => {
          const allowed = linesOf(values['allowed_addresses'])
          const body = { allowed_addresses: allowed.length === 0 ? null : allowed }
          return { path, method: 'PATCH', body }
        }}
        done={() => say(keyActionTexts.limited)}
      >
        {say(keyActionTexts.limitHint)}
      </ActionDialog>
      <ActionDialog
        label={say(keyActionTexts.revoke)}
        about={about}
        right="operator"
        isDanger
        typed={apiKey.name}
        change={() => ({ path, method: 'DELETE' })}
        done={() => say(keyActionTexts.revoked)}
      >
        {say(keyActionTexts.revokeHint)}
      </ActionDialog>
    </span>
  )
}

type RotateKeyProps = Pick<KeyActionsProps, 'onIssued'> & { readonly path: string; readonly about: string }

function RotateKey({ path, about, onIssued }: RotateKeyProps): VNode {
  const say = useSay()
  const notes = useNoteFields()
  return (
    <ActionDialog<IssuedApiKeyJson>
      label={say(keyActionTexts.rotate)}
      about={about}
      right="operator"
      fields={[{ name: 'overlap_seconds', kind: 'count', label: keyActionTexts.overlap, initial: '86400' }, ...notes]}
      change={(values) => ({
        path: `${path}/rotate`,
        body: { overlap_seconds: Number(values['overlap_seconds']), ...noteOf(values) },
      })}
      done={() => say(keyActionTexts.issued)}
      onDone={onIssued}
    >
      {say(keyActionTexts.rotateHint)}
    </ActionDialog>
  )
}
