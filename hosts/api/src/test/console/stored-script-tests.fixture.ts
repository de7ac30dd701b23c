import { afterAll, expect, test } from 'vitest'
import type { ConsoleSystem } from './console.fixture.ts'
import { valueOf } from './every-page.fixture.ts'
import { hostileText, makeHostile } from './hostile-answers.fixture.ts'
import type { Opened } from './opened-page.fixture.ts'
import { checkedPages } from './pages.fixture.ts'
import type { SiteName } from './site.fixture.ts'

/** Texts of tenants, operators, the network and receivers that a page shows as they are. */
const expected = [
  'legal_name',
  'name',
  'email',
  'url',
  'description',
  'response_excerpt',
  'transaction_id',
  'network_reference',
  'network_payment_id',
  'reason',
  'note',
  'label',
  'person',
  'detail',
  'summary',
  'allowed_addresses',
  'subject',
  'actor',
  'source',
  'problem',
  'host',
  'treasury',
  'address',
  'created_by',
  'proposed_by',
  'close_reason',
  'failure',
]

/** Every text that the API may pass on, as markup and as the address of a link. */
export function storedScriptTests(system: () => ConsoleSystem): void {
  const replaced = new Set<string>()
  const shown = new Set<string>()
  const tabs = new Map<SiteName, Opened>()

  afterAll(async () => {
    await Promise.all([...tabs.values()].map((tab) => tab.close()))
  })

  const tabOf = async (site: SiteName): Promise<Opened> => {
    const known = tabs.get(site)
    if (known) return known
    const opened = await system().open('/nowhere', { site, width: 'phone' })
    await makeHostile(opened.page, replaced)
    tabs.set(site, opened)
    return opened
  }

  for (const checked of checkedPages)
    test(`no text of ${checked.name} becomes markup or a link`, { tags: checked.tags }, async () => {
      const opened = await tabOf(checked.site ?? 'sandbox')
      await opened.follow(valueOf(checked.path, system().seed))
      expect(await opened.flaws('none')).toEqual([])
      const text = (await opened.page.locator('main').textContent()) ?? ''
      for (const member of replaced) if (text.includes(hostileText(member))) shown.add(member)
    })

  test('the texts are shown as they are', { tags: 'long' }, () => {
    expect(expected.filter((member) => !shown.has(member))).toEqual([])
  })
}
