import type { BacklogJson, FaultListJson, QuotingReportJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { textOf, useSay } from '../../text/text.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import type { PageProps } from '../page.ts'
import { Activity } from './activity.tsx'
import { faultTexts, overviewTexts } from './overview-texts.ts'
import { SafetyTiles, WorkTiles } from './tiles.tsx'

/** Whether money is safe, at one look. */
export function Overview({ title, query }: PageProps): VNode {
  const say = useSay()
  const backlog = useLive<BacklogJson>('/backlog')
  const rates = useLive<QuotingReportJson>('/rates')
  return (
    <>
      <PageHead title={title} live={backlog} />
      <Faults />
      <Loaded live={backlog}>
        {(data) => (
          <>
            <section>
              <h2>{say(overviewTexts.safety)}</h2>
              <SafetyTiles backlog={data} rates={rates.data} />
            </section>
            <section>
              <h2>{say(overviewTexts.work)}</h2>
              <WorkTiles backlog={data} />
            </section>
          </>
        )}
      </Loaded>
      <Activity query={query} />
    </>
  )
}

function Faults(): VNode {
  const say = useSay()
  const live = useLive<FaultListJson>('/faults')
  return (
    <section>
      <h2>{say(overviewTexts.faults)}</h2>
      <Loaded live={live}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="box is-ok">{say(overviewTexts.noFaults)}</p>
          ) : (
            <ul class="faults">
              {data.map(({ code, subject, detail }) => {
                const todo = textOf(faultTexts, code)
                return (
                  <li key={`${code} ${subject}`} class="box is-bad">
                    <p>
                      <strong>{code}</strong> <code>{subject}</code> <span lang="en">{detail}</span>
                    </p>
                    {todo && <p class="muted">{say(todo)}</p>}
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
