import { z } from 'zod'
import {
  createdKey,
  energyKey,
  energyPrice,
  prices,
  toInt,
  trxKey,
  usedAt,
  type Resource,
} from '../account/accounts.ts'
import type { NodeRequest, Endpoint } from './endpoint.ts'
import { readAddress, sparse } from './transaction-json.ts'
import type { Address } from '../account/address.ts'

const AddressBody = z.object({ address: z.string() })

function accountOf({ body, view }: NodeRequest): Address | null {
  const address = readAddress(AddressBody.parse(body).address)
  return view.read(createdKey(address)) === 0n ? null : address
}

const used = ({ view }: NodeRequest, who: Address, resource: Resource): number =>
  usedAt(view.read, who, resource, view.head.timestamp)

const bandwidth = (asked: NodeRequest, who: Address): Record<string, number> => ({
  freeNetUsed: used(asked, who, 'bandwidth'),
  freeNetLimit: prices.freeBandwidth,
})

/** Endpoints of accounts and prices. An account that never got TRX is `{}`, even with tokens. */
export const accountEndpoints: Readonly<Record<string, Endpoint>> = {
  getaccount(_, asked) {
    const who = accountOf(asked)
    if (who === null) return {}
    const { view } = asked
    return sparse({
      address: who,
      balance: toInt(view.read(trxKey(who))),
      create_time: toInt(view.read(createdKey(who))),
      free_net_usage: used(asked, who, 'bandwidth'),
      account_resource: sparse({ energy_usage: used(asked, who, 'energy') }),
    })
  },

  getaccountresource(_, asked) {
    const who = accountOf(asked)
    if (who === null) return {}
    return sparse({
      ...bandwidth(asked, who),
      EnergyUsed: used(asked, who, 'energy'),
      EnergyLimit: toInt(asked.view.read(energyKey(who))),
      TotalEnergyLimit: 180_000_000_000,
    })
  },

  getchainparameters(_, { view }) {
    const parameters = {
      getMaintenanceTimeInterval: 21_600_000,
      getCreateAccountFee: 100_000,
      getTransactionFee: prices.bandwidthSun,
      getCreateNewAccountFeeInSystemContract: 1_000_000,
      getCreateNewAccountBandwidthRate: 1,
      getEnergyFee: energyPrice(view.read),
      getAllowSameTokenName: 1,
      getAllowUpdateAccountName: 0,
      getFreeNetLimit: prices.freeBandwidth,
      getMaxFeeLimit: prices.feeLimitMaxSun,
      getTotalEnergyCurrentLimit: 180_000_000_000,
    }
    return { chainParameter: Object.entries(parameters).map(([key, value]) => sparse({ key, value })) }
  },
}
