import { type Currency, type Money, toDecimal } from '@quipu/core'

/** An amount in an answer: always a string, with every fraction digit of its currency. */
export type MoneyJson<C extends Currency = Currency> = { currency: C; amount: string }

export const moneyToJson = <C extends Currency>(money: Money<C>): MoneyJson<C> => ({
  currency: money.currency,
  amount: toDecimal(money),
})
