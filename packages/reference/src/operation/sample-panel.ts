import type { Context } from '../document/context.ts'
import { type Html, html } from '../html/html.ts'
import { languages } from '../sample/languages.ts'
import type { SampleRequest } from '../sample/sample-request.ts'

/** The code of a request. The script writes it in the language that the reader chose, as the form has it. */
export function samplePanel(sample: SampleRequest, { texts }: Context): Html {
  const [first] = languages
  return html`<div class="panel sample">
    <div class="bar">
      <div role="group" aria-label="${texts.sampleLanguage}">
        ${languages.map(
          ({ id, name }) =>
            html`<button type="button" data-language="${id}" aria-pressed="${String(id === first.id)}">
              ${name}
            </button>`,
        )}
      </div>
      <button type="button" class="copy">${texts.copy}</button>
    </div>
    <pre tabindex="0">${first.write(sample)}</pre>
  </div> `
}
