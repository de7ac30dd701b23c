-- What moved money in or out of a wallet, as its tenant reads it.

alter table quipu.transfer
  add deposit_id text collate "C",
  add constraint transfer_of_deposit check ((deposit_id is not null) = (type = 'deposit'));

-- A wallet's time never goes back, so its movements have the same order by time as by `seq`, and
-- every bound in time is one of this index. It also finds a tenant's transfers to add them up.
-- Payouts pay for each index here with every write: they have this one and no other.
create index transfer_newest on quipu.transfer (tenant_id, created_at, seq);
drop index quipu.transfer_payout;

-- Deposits and adjustments, which may be few among millions of payouts. Payouts are not in it.
create index transfer_but_payouts on quipu.transfer (tenant_id, created_at, seq)
  where type in ('deposit', 'adjustment_in', 'adjustment_out');
