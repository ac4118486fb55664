import { anySession, defineArea, route } from '../../kernel/area.ts'
import { command, query } from '../../kernel/resource/operations.ts'
import { forgetPortions, largestPortion, lookAtPortions, portionInput, portionsAnswer, portionsInput, takePortion } from './portions.ts'
import { download, downloadInput, upload, uploadedAnswer, uploadInput } from './storage.handlers.ts'

/** Files of records: taken in by multipart, given back by path to who works in their company and reaches their tenant. */
export const storageArea = defineArea({
  name: 'storage',
  routes: [
    route('storage.upload', 'POST', '/api/storage/upload', anySession, command(uploadInput, upload, uploadedAnswer), { own: true, upload: true, limit: 60, summary: 'Stores files; allowed: documents, pictures, plain text, 25 MiB each' }),
    route('storage.portions', 'GET', '/api/storage-portions/:id', anySession, query(portionsInput, lookAtPortions, portionsAnswer), { own: true, summary: 'How many bytes of a file have come, to go on from there' }),
    route('storage.takePortion', 'PUT', '/api/storage-portions/:id', anySession, command(portionInput, takePortion, portionsAnswer), { own: true, raw: true, bodyLimit: largestPortion, limit: 600, summary: 'A portion of a file, 1 MiB at most; with the last one it is stored' }),
    route('storage.get', 'GET', '/api/storage/*', anySession, query(downloadInput, download), { sends: '*/*', summary: 'A stored file as attachment' }),
  ],
  jobs: [forgetPortions],
})
