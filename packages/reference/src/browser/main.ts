// The script of the page. Each module attaches itself to the elements that it is about.
import './reading.ts'
import './samples.ts'
import './search.ts'
import './sending.ts'
import './views.ts'
import './walk.ts'
