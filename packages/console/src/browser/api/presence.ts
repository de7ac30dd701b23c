let lastUse = -Infinity

/** Notes each use of the page by a person: a page that refreshes by itself does not prolong the session. */
export function watchPresence(): void {
  for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const)
    addEventListener(event, () => void (lastUse = performance.now()), { passive: true, capture: true })
}

const recentMs = 60_000

/** Whether a person has used the page within a minute. */
export const wasHere = (): boolean => performance.now() - lastUse < recentMs
