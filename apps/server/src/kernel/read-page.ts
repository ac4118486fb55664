import { listRecords } from './resource/read/list.ts'
import type { WireRecord } from './resource/write.ts'

interface Page {
  page: number
  size: number
  total: number
}

/** A page of the caller's list as records, for the program itself; its parameters are those of listRecords. */
export async function readPage<Extra extends object = object>(
  ...listing: Parameters<typeof listRecords<Extra>>
): Promise<{ records: WireRecord[]; meta: Page }> {
  const answer = (await listRecords(...listing)) as { json: string } | { rows: AsyncIterable<string>; meta: Page }
  if ('json' in answer) {
    const { data, meta } = JSON.parse(answer.json) as { data: Record<string, WireRecord[]>; meta: Page }
    return { records: Object.values(data).flat(), meta }
  }
  const records: WireRecord[] = []
  for await (const row of answer.rows) records.push(JSON.parse(row) as WireRecord)
  return { records, meta: answer.meta }
}
