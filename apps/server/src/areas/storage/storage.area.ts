import type { FileStore } from '@outpost/platform/files/types'
import { anySession, defineArea, route } from '../../kernel/area.ts'
import { command, query } from '../../kernel/resource/operations.ts'
import type { Area } from '../../kernel/types.ts'
import { download, downloadInput, upload, uploadInput } from './storage.handlers.ts'

/** Files of records: taken in by multipart, given back by path to who works in their company and reaches their tenant. */
export function storageArea({ files }: { files: FileStore }): Area {
  return defineArea({
    name: 'storage',
    routes: [
      route('storage.upload', 'POST', '/api/storage/upload', anySession, command(uploadInput, (ctx, input, facts) => upload(files, ctx, input, facts)),
        { own: true, upload: true, ownTransaction: true, limit: 60, summary: 'Stores files; allowed: documents, pictures, plain text, 25 MiB each' }),
      route('storage.get', 'GET', '/api/storage/*', anySession, query(downloadInput, (ctx, input) => download(files, ctx, input)),
        { summary: 'A stored file as attachment' }),
    ],
  })
}
