import type { TopUpAddress } from '@quipu/core'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { addressText } from '../json/chain.ts'
import { rowToJson } from '../json/row-to-json.ts'

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

export const operatorTopUpAddressToJson = (topUp: TopUpAddress): OperatorTopUpAddressJson =>
  rowToJson(operatorTopUpAddress, topUp, { currency: 'USDT' })
