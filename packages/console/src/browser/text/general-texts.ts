import { texts } from './text.ts'

export const generalTexts = texts({
  missing: { en: 'Page not found', es: 'Página no encontrada' },
  missingHint: {
    en: 'The console has no page at this address. Records are found by their id with the search.',
    es: 'La consola no tiene una página en esta dirección. La búsqueda encuentra registros por su id.',
  },
  toOverview: { en: 'Go to the overview', es: 'Ir al resumen' },
  loading: { en: 'Loading…', es: 'Cargando…' },
  updatedAt: { en: (time: string) => `Updated ${time}`, es: (time: string) => `Actualizado ${time}` },
  notUpdated: {
    en: (time: string) => `Not refreshed since ${time}. Retrying.`,
    es: (time: string) => `Sin actualizar desde las ${time}. Se vuelve a intentar.`,
  },
  unreachable: {
    en: 'The API does not answer. The console keeps trying; check that an API process runs.',
    es: 'La API no responde. La consola sigue intentando; compruebe que un proceso de la API funcione.',
  },
  requestFailed: {
    en: (status: string) => `The API refused the request (${status}).`,
    es: (status: string) => `La API rechazó la solicitud (${status}).`,
  },
  retry: { en: 'Try again', es: 'Reintentar' },
  cancel: { en: 'Cancel', es: 'Cancelar' },
  pager: { en: 'Pages of the list', es: 'Páginas de la lista' },
  newest: { en: 'Newest', es: 'Más recientes' },
  older: { en: 'Older', es: 'Más antiguos' },
  values: { en: 'Values', es: 'Valores' },
  instant: { en: 'From', es: 'Desde' },
  all: { en: 'All', es: 'Todos' },
  filters: { en: 'Filters', es: 'Filtros' },
  typeName: {
    en: (name: string) => `Type “${name}” to confirm`,
    es: (name: string) => `Escriba «${name}» para confirmar`,
  },
  otherName: { en: 'This is another name.', es: 'Es otro nombre.' },
  optional: { en: '(optional)', es: '(opcional)' },
  nothing: { en: 'none', es: 'ninguno' },
  needsRole: { en: (role: string) => `Needs the role ${role}.`, es: (role: string) => `Requiere el rol ${role}.` },
  showAll: { en: 'Show all', es: 'Mostrar todos' },
  stored: { en: 'I have stored it', es: 'Ya lo guardé' },
  from: { en: 'From', es: 'Desde' },
  to: { en: 'To', es: 'Hasta' },
  copy: { en: 'Copy', es: 'Copiar' },
  copyLink: { en: 'Copy link', es: 'Copiar enlace' },
  csv: { en: 'Download as CSV', es: 'Descargar como CSV' },
  copied: { en: 'Copied', es: 'Copiado' },
})
