import type { AnswerFile } from '@outpost/contract/web-forms/form'
import { api } from '../../../data/api.ts'
import { pathOf } from '../../../data/calls.ts'
import { currentOffline } from '../../../offline/current.ts'
import { sha256, type NewFile } from '../../../offline/sync/files.ts'
import { t } from '../../../session/labels.ts'
import type { FormFiles } from './form-files.ts'

/** A file that a form names and this device does not have any more. */
export class MissingFileError extends Error {
  readonly fileId: string
  constructor({ Id, name }: AnswerFile) {
    super(t('{{name}} is not on this device any more. Take it again.', { name }))
    this.fileId = Id
  }
}

/** The files of a form with their bytes; those that wait on the device already are left out. */
export async function filesToKeep(
  named: readonly AnswerFile[],
  files: FormFiles,
  ownerId: string,
): Promise<{ files: NewFile[]; isOnDevice: boolean }> {
  const store = currentOffline()?.store
  const waiting = new Set(named.length > 0 ? (await store?.files.list())?.map(({ id }) => id) : [])
  const fresh = named.filter(({ Id }) => !waiting.has(Id))
  const read = async (file: AnswerFile): Promise<NewFile> => {
    const bytes = await files.bytes(file.Id)
    if (!bytes) throw new MissingFileError(file)
    return { id: file.Id, name: file.name, mime: file.mimeType, bytes, ownerType: 'webFormAnswer', ownerId }
  }
  return { files: await Promise.all(fresh.map(read)), isOnDevice: store !== undefined }
}

/** Sends files ahead of their form, where nothing can be kept; twice is once. Throws what the call throws. */
export async function uploadFiles(files: readonly NewFile[]): Promise<void> {
  for (const { id, name, mime, bytes } of files) {
    const form = new FormData()
    form.append('file', new Blob([bytes], { type: mime }), name)
    await api.post(pathOf('storage.upload'), form, { query: { id, sha256: await sha256(bytes) } })
  }
}

/** Forgets files that a refused form had and its mended one has not. */
export async function dropFormer(former: readonly AnswerFile[], named: readonly AnswerFile[]): Promise<void> {
  const store = currentOffline()?.store
  for (const { Id } of former) if (!named.some((file) => file.Id === Id)) await store?.files.drop(Id)
}
