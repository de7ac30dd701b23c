import { texts } from './text.ts'

/** Why an operator acts, and what shows it. */
export const noteTexts = texts({
  reason: { en: 'Reason', es: 'Motivo' },
  reasonIfApproved: {
    en: 'Required if another person has to approve it.',
    es: 'Obligatorio si otra persona debe aprobarlo.',
  },
  evidence: { en: 'Evidence', es: 'Evidencia' },
  evidenceHint: { en: 'What shows it, and where it is kept.', es: 'Qué lo demuestra, y dónde se guarda.' },
  file: { en: 'File of the evidence', es: 'Archivo de la evidencia' },
  fileHint: {
    en: 'Only its SHA-256 is sent; the file stays on this machine.',
    es: 'Solo se envía su SHA-256; el archivo queda en este equipo.',
  },
})
