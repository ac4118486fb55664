import { filesOf } from '@outpost/rules/forms/answer-files'
import { answersText } from '@outpost/rules/forms/answer-words'
import { callOf } from '../../../data/calls.ts'
import { save } from '../../../data/gateway.ts'
import type { Saved } from '../../../data/saving.ts'
import { serverNow } from '../../../session/token.ts'
import type { FormVersion } from '../version.ts'
import type { FormFiles } from './form-files.ts'
import { answersIn, type RefusedForm } from './refused.ts'
import { dropFormer, filesToKeep, uploadFiles } from './sent-files.ts'

interface FilledForm {
  answers: Record<string, unknown>
  files: FormFiles
  refused: RefusedForm | undefined
}
interface SentForm extends FilledForm {
  version: FormVersion
  /** The record that it is about, under its field. */
  about: Record<string, unknown>
  newId: string
}
/** As much of the answers in words as the office takes; it writes its own. */
const longestSummary = 20_000

/** Hands a checked form over with its files: to the device where one keeps it, else the files first and then the form to the office. */
export async function sendForm({ version, answers, about, files, refused, newId }: SentForm): Promise<Saved> {
  const kept = await filesToKeep(filesOf(answers), files, refused?.id ?? newId)
  if (!kept.isOnDevice) await uploadFiles(kept.files)
  return save({
    call: callOf('webForms.fill'),
    entityType: 'webFormAnswer',
    one: 'webFormAnswer',
    ...(refused ? { id: refused.id } : {}),
    ...(kept.isOnDevice ? { files: kept.files } : {}),
    values: {
      ...(refused ? {} : { Id: newId }),
      formVersionId: version.Id,
      name: version.name,
      summary: answersText(version.pages, answers).slice(0, longestSummary),
      filledAt: refused?.mine.filledAt ?? new Date(serverNow()).toISOString(),
      answers,
      ...about,
    },
  })
}

/** What a form that was handed over leaves behind: the files of its draft, and those that a mended one has not any more. */
export async function forgetFiles({ answers, files, refused }: FilledForm): Promise<void> {
  const named = filesOf(answers)
  for (const { Id } of named) files.drop(Id)
  if (refused) await dropFormer(filesOf(answersIn(refused)), named)
}
