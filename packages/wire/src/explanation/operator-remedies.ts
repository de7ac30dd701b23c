import { type Remedy, refused } from './explanation.ts'

const readList = (list: string): Remedy<string> => refused('changed', `Check the id: find it in the list \`${list}\`.`)

const readAgain = refused('no', 'Read the record again: another person or process has decided in the meantime.')

/** Remedies for the errors that only operators get. */
export const operatorRemedies = {
  ROLE_REQUIRED: refused('no', 'Have a person do it whose token has the role of the operation.'),
  OWN_PROPOSAL: refused('no', 'Have another person approve it with a token of their own.'),
  SECOND_FACTOR_REQUIRED: refused('changed', 'Sign in to the console with a code; make a second factor there first.'),
  SECOND_FACTOR_WRONG: refused('changed', 'Enter the next code, and check the clock of the device.'),
  SECOND_FACTOR_LOCKED: refused('later', 'Wait. Another person may have your token: then revoke it.'),
  SECOND_FACTOR_IN_EFFECT: refused('no', 'Have an admin remove it, if it is lost.'),
  SECOND_FACTOR_UNAVAILABLE: refused(
    'no',
    'Have the setting and the database’s key set, or sign in by OpenID Connect.',
  ),
  SECOND_FACTOR_NOT_FOUND: refused('changed', 'Check the name: `GET /operator/v1/operator-tokens`.'),
  CASE_NOT_FOUND: readList('GET /operator/v1/search'),
  CASE_TAKEN: refused('no', 'Ask the person, or have an admin release it: `GET /operator/v1/cases/{id}`.'),
  SESSION_NOT_FOUND: readList('GET /operator/v1/sessions'),
  CROSS_SITE_REQUEST: refused('changed', 'Reload the console, and do it there again.'),
  TENANT_NOT_FOUND: readList('GET /operator/v1/tenants'),
  OPERATOR_TOKEN_NOT_FOUND: readList('GET /operator/v1/operator-tokens'),
  LAST_ADMIN: refused(
    'changed',
    'Issue a token to another admin, or have the database’s owner do it, and revoke this one then.',
  ),
  OPERATOR_TOKEN_HASH_USED: refused('changed', 'Generate another token, and send its hash.'),
  ALERT_GATEWAY_NOT_SET: refused(
    'later',
    'Set OPERATOR_ALERT_URL, its secret and OPERATOR_RUNBOOK_URL, and restart the API.',
  ),
  PROPOSAL_NOT_FOUND: readList('GET /operator/v1/proposals'),
  SCREENING_CASE_NOT_FOUND: readList('GET /operator/v1/screening-cases'),
  DIFFERENCE_NOT_FOUND: readList('GET /operator/v1/differences'),
  RUN_NOT_FOUND: readList('GET /operator/v1/reconciliation-runs'),
  TOP_UP_ADDRESS_NOT_FOUND: refused('later', 'The tenant’s first read of its wallet creates one.'),
  DEPOSIT_NOT_IN_REVIEW: refused('later', 'Wait until the chain has confirmed the transfer.'),
  DEPOSIT_ALREADY_RESOLVED: readAgain,
  DEPOSITS_NOT_OPEN: refused('changed', 'Leave out the deposits that `details` names.'),
  DEPOSIT_NOT_CREDITABLE: refused('changed', 'Close the deposit with a reason.'),
  PAYOUT_LEASED: refused('later', 'Wait some seconds, then read the payout again.'),
  PAYOUT_ALREADY_ENDED: readAgain,
  PAYOUTS_NOT_STOPPED: refused('no', 'New payouts are accepted.'),
  PAYOUT_STATUS_NOT_QUERIED: refused('changed', 'Query the network first: `POST /operator/v1/payouts/{id}/query`.'),
  SETTLEMENT_CONTRADICTS_NETWORK: refused(
    'changed',
    'Read the network’s answers: `GET /operator/v1/payouts/{id}`. Say `contradicts_network` only with evidence that they are wrong.',
  ),
  PAYOUT_NOT_REFUNDABLE: refused(
    'changed',
    'Read the payout: `GET /operator/v1/payouts/{id}`. Refund at most its `source.amount`, once it is `completed`.',
  ),
  PAYOUT_ALREADY_REFUNDED: refused(
    'no',
    'Read the tenant’s proposals: `GET /operator/v1/proposals`. Withdraw an open one to propose another amount.',
  ),
  NETWORK_CANNOT_CANCEL: refused('no', 'Propose to settle by evidence: `POST /operator/v1/payouts/{id}/settle`.'),
  NETWORK_UNPROVEN: refused(
    'later',
    'Check which network the processes use: `GET /operator/v1/network`. Or settle by evidence.',
  ),
  PROPOSAL_EXPIRED: refused('changed', 'Propose it again, and have it approved in time.'),
  PROPOSAL_NOT_OPEN: readAgain,
  PROPOSAL_NOT_APPROVED: refused('later', 'Have another person approve it first.'),
  PROPOSAL_NOT_EXECUTED: refused('later', 'Name a proposal that is executed.'),
  PROPOSAL_OF_ANOTHER_TENANT: refused('changed', 'Name a proposal of the difference’s tenant.'),
  DIFFERENCE_NOT_OPEN: readAgain,
  SCREENING_CASE_DECIDED: readAgain,
  DEPOSIT_NOT_UNSCREENED: readAgain,
  TENANT_LISTED: refused('later', 'Decide its case of screening first: `GET /operator/v1/screening-cases` lists it.'),
  MOVEMENT_NOT_FOUND: readList('GET /operator/v1/treasury'),
  MOVEMENT_RECORDED: refused('changed', 'Name the movement’s own reference, or reverse the one on record.'),
  MOVEMENT_REVERSED: readAgain,
  SWEEP_NOT_FOUND: readList('GET /operator/v1/sweep/batches'),
  SWEEPS_NOT_CONFIGURED: refused('no', 'Set `SWEEP_TREASURY_ADDRESS` and restart the processes.'),
  NOTHING_TO_SWEEP: refused('later', 'Plan again when addresses have reached the threshold.'),
  TREASURY_NOT_ALLOWED: refused('no', 'Set another `SWEEP_TREASURY_ADDRESS`.'),
} as const satisfies Readonly<Record<string, Remedy<string>>>
