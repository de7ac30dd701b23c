import { all, one, random } from './elements.js'
import { refresh, withOwn } from './own-values.js'
import { fieldsIn, forms, showCurl } from './requests.js'
import { send } from './sending.js'
import { key, server } from './session.js'

for (const form of forms) {
  for (const body of all('textarea', HTMLTextAreaElement, form)) refresh(body)
  for (const field of fieldsIn(form, 'header'))
    if (field.name === 'Idempotency-Key') field.value = `try-${random()}`
  form.addEventListener('input', () => showCurl(form))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
  for (const choice of all('.choice', HTMLSelectElement, form))
    choice.addEventListener('input', () => {
      const body = one('textarea', HTMLTextAreaElement, form)
      body.value = withOwn(choice.value)
      body.rows = body.value.split('\n').length
      refresh(body)
    })
}
const showCurls = () => forms.forEach(showCurl)
server.addEventListener('input', showCurls)
key.addEventListener('input', showCurls)
showCurls()
