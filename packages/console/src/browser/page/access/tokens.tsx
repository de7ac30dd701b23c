import type { OperatorTokenJson, ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useRight, useSession } from '../../session/use-session.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { type Field, filledIn } from '../../ui/fields.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { noteOf, optionalEvidenceFields, reasonField } from '../../ui/note-fields.ts'
import { Section } from '../../ui/section.tsx'
import { optionsOf, State } from '../../ui/state.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import { accessTexts, roleTexts, tokenActionTexts, tokenStatusTexts } from './access-texts.ts'

type Token = OperatorTokenJson
type TokenStatus = keyof typeof tokenStatusTexts

/** As the fault `TOKEN_ENDS_SOON`. */
const endsSoonMs = 14 * 86_400_000

const tones = { active: 'ok', ending: 'warn', waiting: 'warn', expired: 'quiet', revoked: 'quiet' } as const

function statusOf({ revoked_at, expires_at, activated_at }: Token): TokenStatus {
  if (revoked_at !== null) return 'revoked'
  if (new Date(expires_at) <= new Date()) return 'expired'
  if (activated_at === null) return 'waiting'
  return Date.parse(expires_at) < Date.now() + endsSoonMs ? 'ending' : 'active'
}

const columns: readonly Column<Token>[] = [
  { head: recordTexts.person, cell: ({ id, person }) => <span title={id}>{person}</span>, isName: true },
  { head: accessTexts.label, cell: ({ label }) => label },
  { head: accessTexts.role, cell: ({ role }) => role },
  { head: recordTexts.status, cell: (token) => <State of={statusOf(token)} tones={tones} texts={tokenStatusTexts} /> },
  { head: accessTexts.fingerprint, cell: ({ fingerprint }) => <code>{fingerprint}</code> },
  { head: accessTexts.createdBy, cell: ({ created_by: by }) => by },
  { head: recordTexts.created, cell: ({ created_at: at }) => <Time at={at} /> },
  { head: recordTexts.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
]

/** Whose tokens work, for the roles that list them. */
export function Tokens(): VNode {
  const say = useSay()
  const { person } = useSession()
  const [canRead, isAdmin] = [useRight('auditor'), useRight('admin')]
  if (!canRead)
    return (
      <Section heading={accessTexts.tokens}>
        <div class="empty">{say(accessTexts.tokensHidden)}</div>
      </Section>
    )
  const withActions: readonly Column<Token>[] = [
    ...columns,
    {
      head: recordTexts.actions,
      cell: (token) =>
        isRevocable(token) && (isAdmin || token.person === person) ? <Revoke token={token} /> : <Nothing />,
    },
  ]
  return (
    <ListSection<Token>
      heading={accessTexts.tokens}
      from="/operator-tokens"
      columns={withActions}
      empty={accessTexts.empty}
      actions={<Issue />}
    />
  )
}

const isRevocable = (token: Token): boolean => ['active', 'ending', 'waiting'].includes(statusOf(token))

type RevokeProps = { readonly token: Token }

function Revoke({ token: { id, person, label } }: RevokeProps): VNode {
  const say = useSay()
  return (
    <ActionDialog
      label={say(tokenActionTexts.revoke)}
      about={`${person}, ${label}`}
      right="viewer"
      isDanger
      typed={person}
      change={() => ({ path: `/operator-tokens/${id}/revoke` })}
      done={() => say(tokenActionTexts.revoked)}
    >
      {say(tokenActionTexts.revokeHint)}
    </ActionDialog>
  )
}

const issueFields: readonly Field[] = [
  { name: 'person', kind: 'text', maxLength: 64, label: recordTexts.person },
  { name: 'label', kind: 'text', maxLength: 100, label: accessTexts.label },
  { name: 'role', kind: 'choice', label: accessTexts.role, options: optionsOf(roleTexts) },
  { name: 'hash', kind: 'text', maxLength: 64, label: tokenActionTexts.hash, hint: tokenActionTexts.hashHint },
  { name: 'expires_at', kind: 'day', label: tokenActionTexts.until },
  reasonField,
  ...optionalEvidenceFields,
]

function Issue(): VNode {
  const say = useSay()
  return (
    <ActionDialog<OperatorTokenJson | ProposalJson>
      label={say(tokenActionTexts.issue)}
      right="admin"
      fields={issueFields}
      change={(values) => ({
        path: '/operator-tokens',
        body: {
          ...filledIn(values, ['person', 'label', 'role', 'hash']),
          expires_at: `${values['expires_at']}T23:59:59Z`,
          ...noteOf(values),
        },
      })}
      done={(answer) => say('action' in answer ? recordTexts.proposed : tokenActionTexts.issued)}
    >
      {say(tokenActionTexts.issueHint)}
    </ActionDialog>
  )
}
