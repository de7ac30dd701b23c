import { texts } from './text.ts'

export const layoutTexts = texts({
  skip: { en: 'Skip to the content', es: 'Ir al contenido' },
  menu: { en: 'Menu', es: 'Menú' },
  pages: { en: 'Pages', es: 'Páginas' },
  watch: { en: 'Watch', es: 'Vigilar' },
  money: { en: 'Money', es: 'Dinero' },
  reports: { en: 'Reports', es: 'Informes' },
  tenants: { en: 'Tenants', es: 'Clientes' },
  control: { en: 'Control', es: 'Control' },
  search: { en: 'Search', es: 'Buscar' },
  searchHint: {
    en: 'Any id, reference, address or tenant’s name',
    es: 'Id, referencia, dirección o nombre de cliente',
  },
  language: { en: 'Language', es: 'Idioma' },
  theme: { en: 'Theme', es: 'Tema' },
  zone: { en: 'Time zone', es: 'Zona horaria' },
  system: { en: 'System', es: 'Sistema' },
  light: { en: 'Light', es: 'Claro' },
  dark: { en: 'Dark', es: 'Oscuro' },
  signOut: { en: 'Sign out', es: 'Salir' },
  signOutFailed: {
    en: 'The API did not answer: the session is still open. Try again.',
    es: 'La API no respondió: la sesión sigue abierta. Reintente.',
  },
  sandbox: { en: 'Sandbox', es: 'Pruebas' },
  production: { en: 'Production', es: 'Producción' },
})

export const zoneTexts = texts({
  UTC: { en: 'UTC', es: 'UTC' },
  'America/La_Paz': { en: 'La Paz', es: 'La Paz' },
  browser: { en: 'This device’s time', es: 'Hora de este equipo' },
})
