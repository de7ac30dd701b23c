import type { Merchant } from '@quipu/core/adapter'
import type { MerchantJson } from './qr.ts'

/** A member that the core adds does not compile before it has its member here. */
export function merchantToJson({ name, bankCode, ...others }: Merchant): MerchantJson {
  others satisfies Readonly<Record<string, never>>
  return { name, bank_code: bankCode }
}
