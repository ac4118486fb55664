import { anySession, defineArea, route } from '../../kernel/area.ts'
import { command, query } from '../../kernel/resource/operations.ts'
import { download, downloadInput, upload, uploadedAnswer, uploadInput } from './storage.handlers.ts'

/** Files of records: taken in by multipart, given back by path to who works in their company and reaches their tenant. */
export const storageArea = defineArea({
  name: 'storage',
  routes: [
    route('storage.upload', 'POST', '/api/storage/upload', anySession, command(uploadInput, upload, uploadedAnswer), { own: true, upload: true, limit: 60, summary: 'Stores files; allowed: documents, pictures, plain text, 25 MiB each' }),
    route('storage.get', 'GET', '/api/storage/*', anySession, query(downloadInput, download), { summary: 'A stored file as attachment' }),
  ],
})
