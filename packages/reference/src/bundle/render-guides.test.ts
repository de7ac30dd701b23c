import { expect, test } from 'vitest'
import { renderGuide } from './render-guides.ts'

const markdown = `# The title

<!-- not run: it starts the project -->
\`\`\`sh
a < b
\`\`\`

## What \`it\` does

[here](#what-it-does), [there](webhooks.md#receive), [elsewhere](../../packages/client/README.md),
[outside](https://example.test).

| A | B |
|-|-|
| 1 | \`2\` |
`

test('a guide has its title apart, anchors of its own, and links to what the page has', () => {
  const { title, html } = renderGuide('retries', 'guides/retries.md', markdown)
  expect(title).toBe('The title')
  expect(html).toContain('<h3 id="guide-retries-what-it-does">')
  expect(html).toContain('<pre tabindex="0">a &lt; b</pre>')
  expect(html).toContain('<a href="#guide-retries-what-it-does">here</a>')
  expect(html).toContain('<a href="#guide-webhooks-receive">there</a>, elsewhere,')
  expect(html).toContain('<a href="https://example.test">outside</a>')
  expect(html).toContain('<tr><td>1</td><td><code>2</code></td></tr>')
  expect(html).not.toMatch(/not run|<h1/)
})
