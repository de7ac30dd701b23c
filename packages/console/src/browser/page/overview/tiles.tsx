import type { BacklogJson, DifferenceJson, PageJson, QuotingReportJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { useFormat } from '../../text/format.ts'
import { useSay } from '../../text/text.ts'
import { Tile } from '../../ui/tile.tsx'
import { checkTexts, tileTexts } from './overview-texts.ts'

type SafetyProps = { readonly backlog: BacklogJson; readonly rates: QuotingReportJson | undefined }

/** Whether money is safe, and whether people would learn that it is not. */
export function SafetyTiles({ backlog, rates }: SafetyProps): VNode {
  const say = useSay()
  const { shortAmount, count, duration } = useFormat()
  const { drift, unchecked_seconds: unchecked } = backlog.ledger
  const open = backlog.differences.filter((each) => each.count > 0)
  const found = open.filter(({ check }) => check !== 'liquidity')
  const isLow = open.some(({ check }) => check === 'liquidity')
  return (
    <ul class="tiles">
      <Tile
        label={say(tileTexts.drift)}
        figure={`${shortAmount(drift)} USDT`}
        hint={say(tileTexts.checked, duration(unchecked))}
        tone={/^[0.]+$/.test(drift) ? 'ok' : 'bad'}
        to="/differences"
      />
      <Tile
        label={say(tileTexts.differences)}
        figure={count(found.reduce((sum, each) => sum + each.count, 0))}
        hint={
          found.length === 0
            ? say(tileTexts.none)
            : found.map(({ check, ...each }) => `${count(each.count)} ${say(checkTexts[check])}`).join(', ')
        }
        tone={found.length === 0 ? 'ok' : 'bad'}
        to="/differences"
      />
      <LiquidityTile isLow={isLow} isWatched={backlog.network_liquidity === 'watched'} />
      <RateTile rates={rates} />
      <AlertTile alerts={backlog.alerts} />
    </ul>
  )
}

type LiquidityProps = { readonly isLow: boolean; readonly isWatched: boolean }

/** The network's remaining liquidity, once it is below its floor. */
function LiquidityTile({ isLow, isWatched }: LiquidityProps): VNode {
  const say = useSay()
  const { shortAmount } = useFormat()
  const path = '/differences?check=liquidity&status=open'
  const { data } = useLive<PageJson<DifferenceJson>>(isLow ? `${path}&limit=1` : undefined)
  const [low] = data?.data ?? []
  const { found, expected } = low ?? {}
  return (
    <Tile
      label={say(tileTexts.liquidity)}
      figure={
        found
          ? `${shortAmount(found.amount)} ${found.currency}`
          : say(isLow ? tileTexts.liquidityLow : tileTexts[isWatched ? 'liquidityOk' : 'unwatched'])
      }
      hint={
        expected
          ? say(tileTexts.liquidityFloor, `${shortAmount(expected.amount)} ${expected.currency}`)
          : say(isWatched ? tileTexts.liquidityHint : tileTexts.unwatchedHint)
      }
      tone={isLow ? 'bad' : isWatched ? 'ok' : 'quiet'}
      to={isLow ? path : '/differences?check=liquidity'}
    />
  )
}

function RateTile({ rates }: Pick<SafetyProps, 'rates'>): VNode {
  const say = useSay()
  const { amount, duration } = useFormat()
  const isPaused = rates?.quoting.status === 'paused'
  const rate = rates?.rate
  const from = rate
    ? say(tileTexts.rateFrom, { source: rate.source, age: duration(Math.max(0, rate.age_seconds)) })
    : (rates?.problem ?? '')
  return (
    <Tile
      label={say(tileTexts.rate)}
      figure={rate ? amount(rate.bid) : rates ? say(tileTexts.noRate) : '–'}
      hint={isPaused ? say(tileTexts.quotingPaused) : from}
      tone={isPaused || rates?.agreement?.agree === false ? 'warn' : rates && !rate ? 'bad' : 'ok'}
      to="/rates"
    />
  )
}

/** Items that wait for the programs or for a person. */
export function WorkTiles({ backlog }: { readonly backlog: BacklogJson }): VNode {
  const say = useSay()
  const { count, duration, shortAmount } = useFormat()
  const {
    payouts_processing: payouts,
    scans,
    deliveries,
    deposits_in_review: reviews,
    screening_cases: cases,
  } = backlog
  const { paused_endpoints: paused, failing_endpoints: failing, retrying_deliveries: retrying } = backlog
  // Events of an endpoint that fails or is paused wait without being due.
  const unreached = [
    ...(retrying > 0 ? [say(tileTexts.retrying, count(retrying))] : []),
    ...(failing.count > 0 ? [say(tileTexts.failingEndpoints, count(failing.count))] : []),
    ...(paused > 0 ? [say(tileTexts.pausedEndpoints, count(paused))] : []),
  ]
  const due = [deliveries.fast, deliveries.slow, deliveries.catching_up]
  const oldestDue = Math.max(...due.map((each) => each.oldest_seconds))
  const lag = Math.max(0, ...scans.map((each) => each.behind_seconds))
  const oldest = (seconds: number): string =>
    seconds === 0 ? say(tileTexts.none) : say(tileTexts.oldest, duration(seconds))
  return (
    <ul class="tiles">
      <Tile
        label={say(tileTexts.processing)}
        figure={count(payouts.count)}
        hint={oldest(payouts.oldest_seconds)}
        tone={payouts.oldest_seconds > 600 ? 'bad' : payouts.oldest_seconds > 60 ? 'warn' : 'ok'}
        to="/payouts?status=processing"
      />
      <Tile
        label={say(tileTexts.reviews)}
        figure={count(reviews.count)}
        hint={
          reviews.count === 0
            ? say(tileTexts.none)
            : `${shortAmount(reviews.amount)} USDT, ${oldest(reviews.oldest_seconds)}`
        }
        tone={reviews.count === 0 ? 'ok' : 'warn'}
        to="/deposits"
      />
      <Tile
        label={say(tileTexts.screening)}
        figure={count(cases.count)}
        hint={oldest(cases.oldest_seconds)}
        tone={cases.count === 0 ? 'ok' : 'warn'}
        to="/screening?status=open"
      />
      <Tile
        label={say(tileTexts.deliveries)}
        figure={count(due.reduce((sum, each) => sum + each.count, 0))}
        hint={unreached.length > 0 ? unreached.join(', ') : oldest(oldestDue)}
        tone={unreached.length > 0 || oldestDue > 60 ? 'warn' : 'ok'}
        to="/endpoints"
      />
      <Tile
        label={say(tileTexts.scans)}
        figure={scans.length === 0 ? '–' : duration(lag)}
        hint={say(scans.length === 0 ? tileTexts.noScan : tileTexts.newestBlock)}
        tone={scans.length === 0 ? 'quiet' : lag > 300 ? 'bad' : 'ok'}
        to="/deposits"
      />
      <Tile
        label={say(tileTexts.approvals)}
        figure={count(backlog.proposals.count)}
        hint={oldest(backlog.proposals.oldest_seconds)}
        tone={backlog.proposals.count === 0 ? 'ok' : 'warn'}
        to="/proposals"
      />
    </ul>
  )
}

/** Whether alerts reach people. */
function AlertTile({ alerts }: Pick<BacklogJson, 'alerts'>): VNode {
  const say = useSay()
  const { count, instant } = useFormat()
  const { gateway, waiting, accepted_at: at, digest_day: day } = alerts
  const label = say(tileTexts.alerts)
  if (gateway === 'none')
    return <Tile label={label} figure={say(tileTexts.nobody)} hint={say(tileTexts.nobodyHint)} tone="quiet" to="/" />
  const last = at === null ? say(tileTexts.noneSent) : say(tileTexts.lastSent, instant(at))
  return (
    <Tile
      label={label}
      figure={waiting.count > 0 ? say(tileTexts.alertsWait, count(waiting.count)) : say(tileTexts.alertsReach)}
      hint={day === null ? last : `${last}, ${say(tileTexts.digest, day)}`}
      tone={waiting.oldest_seconds > 60 ? 'bad' : 'ok'}
      to="/"
    />
  )
}
