import { newOperatorToken, type OperatorToken, type OperatorTokenRequest } from './operator-token.ts'

export const now: Date = new Date('2026-11-21T12:00:00.000Z')
export const inDays = (count: number): Date => new Date(now.getTime() + count * 86_400_000)

/** A request for a token of `carla` that only reads, for thirty days. */
export const request: OperatorTokenRequest = {
  person: 'carla',
  label: 'laptop',
  role: 'viewer',
  hash: '0123456789abcdef'.repeat(4),
  expiresAt: inDays(30),
}

/** The active token of that request, that `ana` issued. */
export const token: OperatorToken = newOperatorToken(request, {
  id: 'opt_1',
  createdAt: now,
  createdBy: 'ana',
  activatedAt: now,
})
