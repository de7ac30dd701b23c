import type { ApiKeyJson, IssuedApiKeyJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useSession } from '../../session/use-session.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { type Field, filledIn, linesOf } from '../../ui/fields.tsx'
import { noteOf, optionalEvidenceFields, optionalReasonField } from '../../ui/note-fields.ts'
import { optionsOf } from '../../ui/state.tsx'
import { keyActionTexts, keyTexts, scopeTexts } from './key-texts.ts'

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

export function IssueKey({ tenantId, onIssued }: IssueKeyProps): VNode {
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
export function KeyActions({ apiKey, onIssued }: KeyActionsProps): VNode {
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
