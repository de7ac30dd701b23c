import { payoutStatusTexts } from '../text/volume-texts.ts'

/** How payouts end, as charts stack them. */
export const payoutOutcomes = [
  { outcome: 'completed', label: payoutStatusTexts.completed, colour: '--ok' },
  { outcome: 'cancelled', label: payoutStatusTexts.cancelled, colour: '--muted' },
  { outcome: 'rejected', label: payoutStatusTexts.rejected, colour: '--warn' },
  { outcome: 'failed', label: payoutStatusTexts.failed, colour: '--bad' },
] as const
