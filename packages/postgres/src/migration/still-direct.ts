/** Tables that processes still write without a function, and the rights for it. */
export const directWrites: Readonly<Record<string, string>> = {
  tenant: 'update (id)',
  audit_log: 'insert',
  faucet_send: 'insert, update',
  faucet_minute: 'insert, update, delete',
}

/** Functions that processes call and that still run with the caller's rights, and what these call. */
export const runAsCaller: readonly string[] = ['minute_end']
