import { texts } from '../../text/text.ts'

export const proposalTexts = texts({
  title: { en: 'Approvals', es: 'Aprobaciones' },
  one: { en: 'Proposal', es: 'Propuesta' },
  waiting: { en: 'Waiting for you', es: 'Esperan por usted' },
  waitingHint: { en: 'Open proposals of other people.', es: 'Propuestas abiertas de otras personas.' },
  noneWaiting: { en: 'Nothing waits for your approval.', es: 'Nada espera su aprobación.' },
  all: { en: 'All proposals', es: 'Todas las propuestas' },
  action: { en: 'Action', es: 'Acción' },
  proposedBy: { en: 'Proposed by', es: 'Propuesta por' },
  approvedBy: { en: 'Approved by', es: 'Aprobada por' },
  approvedAt: { en: 'Approved', es: 'Aprobada' },
  executedAt: { en: 'Executed', es: 'Ejecutada' },
  withdrawnBy: { en: 'Withdrawn by', es: 'Retirada por' },
  rejectedBy: { en: 'Rejected by', es: 'Rechazada por' },
  rejected: { en: 'Rejected', es: 'Rechazada' },
  rejection: { en: 'Why it was rejected', es: 'Por qué se rechazó' },
  none: { en: 'none', es: 'ninguno' },
  failure: { en: 'Why it failed', es: 'Por qué falló' },
  evidence: { en: 'Evidence', es: 'Evidencia' },
  digest: { en: 'SHA-256 of the file', es: 'SHA-256 del archivo' },
  details: { en: 'What it does', es: 'Qué hace' },
  empty: {
    en: 'No proposal matches. Proposals begin where an action needs two people.',
    es: 'Ninguna propuesta coincide. Las propuestas nacen donde una acción requiere dos personas.',
  },
  about: { en: 'Proposals', es: 'Propuestas' },
  noneAbout: { en: 'Nobody has proposed anything about it.', es: 'Nadie ha propuesto nada.' },
  count: { en: (count: string) => `${count} waiting for you`, es: (count: string) => `${count} esperan por usted` },
})

export const proposalStatusTexts = texts({
  open: { en: 'Open', es: 'Abierta' },
  approved: { en: 'Approved', es: 'Aprobada' },
  executed: { en: 'Executed', es: 'Ejecutada' },
  failed: { en: 'Failed', es: 'Fallida' },
  withdrawn: { en: 'Withdrawn', es: 'Retirada' },
  rejected: { en: 'Rejected', es: 'Rechazada' },
  expired: { en: 'Expired', es: 'Vencida' },
})

export const actionTexts = texts({
  adjust_wallet: { en: 'Adjust a wallet', es: 'Ajustar una billetera' },
  credit_deposit: { en: 'Credit a deposit', es: 'Acreditar un depósito' },
  return_deposit: { en: 'Send a deposit back', es: 'Devolver un depósito' },
  close_deposit: { en: 'Close a review', es: 'Cerrar una revisión' },
  close_deposits: { en: 'Close reviews', es: 'Cerrar revisiones' },
  settle_payout: { en: 'Settle a payout', es: 'Liquidar un pago' },
  issue_operator_token: { en: 'Activate an operator token', es: 'Activar un token de operador' },
  issue_api_key: { en: 'Activate an API key', es: 'Activar una clave de API' },
  decide_screening: { en: 'Decide a screening case', es: 'Decidir un caso de verificación' },
  change_limits: { en: 'Raise limits', es: 'Aumentar límites' },
})

/** Members of what a proposal does. */
export const detailTexts = texts({
  available: { en: 'Available now, USDT', es: 'Disponible ahora, USDT' },
  amount: { en: 'Amount, USDT', es: 'Monto, USDT' },
  direction: { en: 'Direction', es: 'Dirección' },
  deposit_ids: { en: 'Deposits', es: 'Depósitos' },
  difference_id: { en: 'Difference', es: 'Diferencia' },
  to_address: { en: 'Sent back to', es: 'Devuelto a' },
  tx_hash: { en: 'By the transaction', es: 'Con la transacción' },
  ordered_amount: { en: 'Ordered, BOB', es: 'Ordenado, BOB' },
  network_paid: { en: 'The network’s answer', es: 'Respuesta de la red' },
  payout_id: { en: 'Refunds the payout', es: 'Reembolsa el pago' },
  outcome: { en: 'Outcome', es: 'Resultado' },
  paid_amount: { en: 'Paid by the network, BOB', es: 'Pagado por la red, BOB' },
  network_payment_id: { en: 'Network’s payment', es: 'Pago en la red' },
  contradicts_network: {
    en: 'Differs from the network’s answer, as the proposer says',
    es: 'Difiere de la respuesta de la red, según quien propone',
  },
  person: { en: 'Person', es: 'Persona' },
  label: { en: 'Label', es: 'Etiqueta' },
  role: { en: 'Role', es: 'Rol' },
  fingerprint: { en: 'Fingerprint', es: 'Huella' },
  expires_at: { en: 'Works until', es: 'Funciona hasta' },
  name: { en: 'Name of the key', es: 'Nombre de la clave' },
  last_four: { en: 'Last four characters', es: 'Últimos cuatro caracteres' },
  scopes: { en: 'Scopes', es: 'Permisos' },
  replaces: { en: 'Replaces', es: 'Reemplaza a' },
  overlap_hours: { en: 'Overlap, hours', es: 'Traslape, horas' },
  allowed_addresses: { en: 'Allowed addresses', es: 'Direcciones permitidas' },
  payment_cap_bob: { en: 'Largest payout, BOB', es: 'Pago máximo, BOB' },
  daily_limit_usdt: { en: 'Daily limit, USDT', es: 'Límite diario, USDT' },
  review_code: { en: 'Screening', es: 'Verificación' },
  decision: { en: 'Decision', es: 'Decisión' },
  screened: { en: 'Screened', es: 'Verificado' },
  list: { en: 'List and reason', es: 'Lista y motivo' },
  daily_limit_count: { en: 'Daily limit, payouts', es: 'Límite diario, pagos' },
})

export const proposalActionTexts = texts({
  approve: { en: 'Approve', es: 'Aprobar' },
  approveHint: {
    en: 'Executes the proposal at once. Compare it with its evidence first; for a token, compare the fingerprint with the person.',
    es: 'Ejecuta la propuesta de inmediato. Compárela antes con su evidencia; para un token, compare la huella con la persona.',
  },
  own: { en: 'You proposed it: another person decides.', es: 'Usted la propuso: decide otra persona.' },
  reject: { en: 'Reject', es: 'Rechazar' },
  rejectHint: {
    en: 'The proposal ends for good, and nothing is executed. The proposer reads the reason.',
    es: 'La propuesta termina y no se ejecuta nada. Quien la propuso lee el motivo.',
  },
  withdraw: { en: 'Withdraw', es: 'Retirar' },
  withdrawHint: { en: 'The proposal ends, and nothing is executed.', es: 'La propuesta termina y no se ejecuta nada.' },
  execute: { en: 'Execute', es: 'Ejecutar' },
  executeHint: {
    en: 'Its execution was interrupted after the approval. Executing it again does it once.',
    es: 'Su ejecución se interrumpió tras la aprobación. Ejecutarla de nuevo la hace una sola vez.',
  },
  done: {
    en: (status: string) => `The proposal is now: ${status}.`,
    es: (status: string) => `La propuesta ahora está: ${status}.`,
  },
})
