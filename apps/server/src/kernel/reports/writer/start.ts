import { Worker } from 'node:worker_threads'
import { Failure } from '@outpost/contract/errors'
import type { WriterMessage, WriterTask } from './thread.ts'

export interface WriterEvents {
  onTotal: (total: number) => void
  onRows: (rows: number) => void
}

/** Writes a report in a thread of its own with a bounded heap. Gives the number of rows; rejects with the signal's reason when aborted. */
export function writeInThread(task: WriterTask, { onTotal, onRows }: WriterEvents, signal: AbortSignal): Promise<number> {
  return new Promise((done, refuse) => {
    if (signal.aborted) return refuse(signal.reason as Error)
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    })
    let result: number | undefined
    const stop = () => {
      refuse(signal.reason as Error)
      // Its connection goes with it, and with that the cursor.
      void thread.terminate()
    }
    signal.addEventListener('abort', stop, { once: true })
    thread.on('message', (message: WriterMessage) => {
      if (message.kind === 'total') onTotal(message.total)
      else if (message.kind === 'rows') onRows(message.rows)
      else if (message.kind === 'refused') refuse(new Failure(message.error, { message: message.message }))
      else result = message.rows
    })
    thread.on('error', refuse)
    thread.on('exit', (code) => {
      signal.removeEventListener('abort', stop)
      if (result === undefined) refuse(new Error(`The writer of the report ended early (${code})`))
      else done(result)
    })
  })
}
