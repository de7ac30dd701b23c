import type { TopUpAddress } from '@quipu/core'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { addressText } from '../json/chain.ts'
import { instantToJson } from '../json/instant.ts'

/** A tenant's top-up address as operators see it. */
export const operatorTopUpAddress = z
  .object({
    tenant_id: idText('ten'),
    chain: z.literal('tron'),
    currency: z.literal('USDT'),
    address: addressText,
    created_at: time,
    retired_at: time.nullable(),
  })
  .meta({ id: 'OperatorTopUpAddress' })
export const operatorTopUpAddressList = z
  .object({ data: z.array(operatorTopUpAddress) })
  .meta({ id: 'OperatorTopUpAddressList' })
export type OperatorTopUpAddressJson = z.output<typeof operatorTopUpAddress>

export const operatorTopUpAddressToJson = (topUp: TopUpAddress): OperatorTopUpAddressJson => ({
  tenant_id: topUp.tenantId,
  chain: topUp.chain,
  currency: 'USDT',
  address: topUp.address,
  created_at: instantToJson(topUp.createdAt),
  retired_at: topUp.retiredAt && instantToJson(topUp.retiredAt),
})
