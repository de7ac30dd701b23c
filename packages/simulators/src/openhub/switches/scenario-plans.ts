import type { Scenario } from '../../qr-network/qr/scenario.ts'
import type { Plan } from './replies.ts'

/**
 * The scenarios of test QRs as this network shows them. It has no code for a limit, so that it rejects the payment; a late refusal
 * has one state, whatever its reason.
 */
export const scenarioPlans: Readonly<Record<Scenario, Plan>> = {
  paid: {},
  late: { course: 'in_process_paid' },
  refused: { course: 'rejected' },
  no_liquidity: { confirm: '13' },
  limit: { course: 'rejected' },
  refused_qr: { confirm: '09' },
  lost_answer: {},
  short_quote: {},
  late_refused: { course: 'in_process_rejected' },
  late_refused_qr: { course: 'in_process_rejected' },
  late_no_liquidity: { course: 'in_process_rejected' },
  late_limit: { course: 'in_process_rejected' },
  late_unsettled: { course: 'in_process' },
  expired: {},
  used: {},
  usd: {},
  pay_then_drop: { confirm: 'lost', course: 'paid' },
  pay_then_error: { confirm: '96', course: 'paid' },
  pay_then_garble: { confirm: 'truncated', course: 'paid' },
  drop_then_nothing: { confirm: 'lost', course: 'none' },
  wrong_amount: { confirm: 'amount_wrong', status: 'amount_wrong' },
  wrong_currency: { confirm: 'usd', status: 'usd' },
}
