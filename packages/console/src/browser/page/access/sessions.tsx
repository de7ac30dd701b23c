import type { EnrolmentJson, SecondFactorJson, SessionRecordJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { OnceShown } from '../../ui/once-shown.tsx'
import { Section } from '../../ui/section.tsx'
import { State } from '../../ui/state.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import { useRight } from '../../session/use-session.ts'
import { accessTexts } from './access-texts.ts'
import { factorTexts, sessionListTexts, sessionOriginTexts } from './session-texts.ts'

type Session = SessionRecordJson

const originTones = { token: 'quiet', oidc: 'info' } as const

/** The product and version of a `User-Agent`, with the whole as its title. */
function Browser({ of }: { readonly of: string | null }): VNode {
  const [product] = /(?:Firefox|\w*Chrome|Safari)\/\d+/.exec(of ?? '') ?? []
  return of === null ? <Nothing /> : <span title={of}>{product?.replace('/', ' ') ?? of}</span>
}

const columns: readonly Column<Session>[] = [
  { head: recordTexts.person, cell: ({ id, person }) => <span title={id}>{person}</span>, isName: true },
  { head: accessTexts.role, cell: ({ role }) => role },
  {
    head: sessionListTexts.origin,
    cell: ({ origin }) => <State of={origin} tones={originTones} texts={sessionOriginTexts} />,
  },
  { head: sessionListTexts.since, cell: ({ created_at: at }) => <Time at={at} /> },
  { head: sessionListTexts.seen, cell: ({ seen_at: at }) => <Time at={at} /> },
  { head: sessionListTexts.address, cell: ({ address }) => address ?? <Nothing /> },
  { head: sessionListTexts.browser, align: 'wide', cell: ({ browser }) => <Browser of={browser} /> },
  { head: recordTexts.actions, cell: (session) => <EndSession {...session} /> },
]

/** Who is signed in to the console: for an admin everybody, for others the person. */
export const Sessions = (): VNode => (
  <ListSection<Session>
    heading={sessionListTexts.sessions}
    hint={sessionListTexts.hint}
    from="/sessions"
    columns={columns}
    empty={sessionListTexts.none}
  />
)

function EndSession({ id, person, address }: Session): VNode {
  const say = useSay()
  return (
    <ActionDialog
      label={say(sessionListTexts.end)}
      about={`${person}, ${address ?? id}`}
      right="viewer"
      isDanger
      change={() => ({ path: `/sessions/${id}/end` })}
      done={() => say(sessionListTexts.ended)}
    >
      {say(sessionListTexts.endHint)}
    </ActionDialog>
  )
}

/** The own second factor; an admin removes a lost one of another person. */
export function SecondFactor(): VNode {
  const say = useSay()
  const live = useLive<SecondFactorJson>('/second-factor')
  const isAdmin = useRight('admin')
  return (
    <Section heading={factorTexts.heading} hint={factorTexts.hint} actions={isAdmin && <Remove />}>
      <Loaded live={live}>
        {({ confirmed_at: at }) =>
          at === null ? (
            <Enrol />
          ) : (
            <p class="box">
              {say(factorTexts.since)} <Time at={at} />
            </p>
          )
        }
      </Loaded>
    </Section>
  )
}

function Enrol(): VNode {
  const say = useSay()
  const [made, setMade] = useState<EnrolmentJson | null>(null)
  return (
    <div class="buttons">
      <ActionDialog<EnrolmentJson>
        label={say(factorTexts.enrol)}
        right="viewer"
        change={() => ({ path: '/second-factor' })}
        done={() => say(factorTexts.made)}
        onDone={setMade}
      >
        {say(factorTexts.enrolHint)}
      </ActionDialog>
      <ActionDialog
        label={say(factorTexts.confirm)}
        right="viewer"
        fields={[{ name: 'code', kind: 'text', maxLength: 6, label: factorTexts.code }]}
        change={({ code = '' }) => ({ path: '/second-factor/confirm', body: { code: code.trim() } })}
        done={() => say(factorTexts.confirmed)}
      >
        {say(factorTexts.confirmHint)}
      </ActionDialog>
      {made && (
        <OnceShown heading={say(factorTexts.secret)} secret={made.uri} onClose={() => setMade(null)}>
          <p>{say(factorTexts.secretHint)}</p>
          <svg class="qr" viewBox={`0 0 ${made.qr.side} ${made.qr.side}`} role="img" aria-label={say(factorTexts.qr)}>
            <path d={made.qr.d} />
          </svg>
        </OnceShown>
      )}
    </div>
  )
}

function Remove(): VNode {
  const say = useSay()
  return (
    <ActionDialog
      label={say(factorTexts.remove)}
      right="admin"
      isDanger
      fields={[{ name: 'person', kind: 'text', maxLength: 64, label: recordTexts.person }]}
      change={({ person = '' }) => ({ path: `/people/${encodeURIComponent(person.trim())}/second-factor/remove` })}
      done={() => say(factorTexts.removed)}
    >
      {say(factorTexts.removeHint)}
    </ActionDialog>
  )
}
