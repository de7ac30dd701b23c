-- The events of completed payouts, of which a tenant may have few beside any number of others.
create index event_completed on quipu.event (tenant_id, recorded_at, id)
  where type = 'payout.completed';
