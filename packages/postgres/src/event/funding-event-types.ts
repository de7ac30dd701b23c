import { depositEventTypes, type EventRecord, walletEventTypes } from '@quipu/core/adapter'

type EventType = EventRecord['type']

/** The types of events that `funding_entry` has, as `funding_event_types` in SQL; `payout_end` has the rest. */
export const fundingEventTypes: readonly EventType[] = [...depositEventTypes, 'payout.refunded', ...walletEventTypes]

export const isFundingType = (type: EventType): boolean => fundingEventTypes.includes(type)
