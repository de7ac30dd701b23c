import type { Address } from '../account/address.ts'
import { keccak } from '../account/digest.ts'

/** A log of a contract: topics and data in hex, without `0x`. */
export type Log = { readonly contract: Address; readonly topics: readonly string[]; readonly data: string }

/** First topic of an event such as `Transfer(address,address,uint256)`. */
export const topicOf = (signature: string): string => keccak(Buffer.from(signature))

/** Selector of a function such as `transfer(address,uint256)`. */
export const selectorOf = (signature: string): string => topicOf(signature).slice(0, 8)

export const uintWord = (value: bigint): string => value.toString(16).padStart(64, '0')

const addressWord = (address: Address): string => address.slice(2).padStart(64, '0')

/** The address in a word. Ignores the bytes above its 20, as the virtual machine does. */
export const wordAddress = (word: string): Address => `41${word.slice(24)}`

export const wordUint = (word: string): bigint => BigInt(`0x${word}`)

/** The words of call data after the selector; missing ones are zero. */
export function argumentWords(data: string, count: number): string[] {
  const words: string[] = []
  for (let i = 0; i < count; i++) words.push(data.slice(8 + i * 64, 72 + i * 64).padEnd(64, '0'))
  return words
}

/** Encodes a string as the only output of a function. */
export function stringAnswer(text: string): string {
  const bytes = Buffer.from(text)
  const padded = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')
  return uintWord(32n) + uintWord(BigInt(bytes.length)) + padded
}

/** Encodes a call with addresses and integers. */
export function callData(signature: string, args: readonly (bigint | { readonly address: Address })[]): string {
  const words = args.map((arg) => (typeof arg === 'bigint' ? uintWord(arg) : addressWord(arg.address)))
  return selectorOf(signature) + words.join('')
}

export const transferTopic: string = topicOf('Transfer(address,address,uint256)')

export const transferLog = (contract: Address, from: Address, to: Address, value: bigint): Log => ({
  contract,
  topics: [transferTopic, addressWord(from), addressWord(to)],
  data: uintWord(value),
})
