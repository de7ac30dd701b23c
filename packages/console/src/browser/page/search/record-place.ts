import type { FoundRecordsJson } from '@quipu/wire'

type Found = FoundRecordsJson['data'][number]

/** The page of each kind of record that has one. */
const places: Readonly<Record<string, (found: Found) => string>> = {
  payout: ({ id }) => `/payouts/${id}`,
}

/** Where the console shows a record; undefined where it does not. */
export const placeOf = (found: Found): string | undefined => places[found.type]?.(found)
