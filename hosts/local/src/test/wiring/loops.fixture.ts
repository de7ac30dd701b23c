/** The loops of each program, when settings switch everything on. */
export const apiLoops: readonly string[] =
  'database_watch heartbeats fault_watch rate_limits request_log second_factor_renewal'.split(' ')

export const workerLoops: readonly string[] =
  `database_watch heartbeats partitions balance_checkpoints retention ledger_check difference_alerts audit_checkpoints
   balance_thresholds notices operator_digest payouts reconcile_network report_check newest_payments network_liquidity scan_head scan_solid
   screening_outages screening_tenants deposits token_state credit_check address_mac_renewal reconcile_chain faucet_sends
   sweeps deliveries_fast deliveries_slow secret_renewal delivery_log delivery_queue queue_messages dead_letters`.split(
    /\s+/,
  )
