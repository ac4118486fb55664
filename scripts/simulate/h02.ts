import { h02Sentence } from '../../apps/geo/src/ingest/h02/encode.ts'
import { openDialog } from './dialog.ts'
import type { Link, Session } from './link.ts'
import type { Vehicle } from './vehicle.ts'

/**
 * An H02 on a TCP connection: the server confirms each sentence with one that names its kind; answers commands with DONE and their
 * timestamp.
 */
export async function openH02({ uniqueId }: Vehicle, link: Link): Promise<Session> {
  let rest = ''
  const { socket, next } = openDialog<string>(link, (chunk, to) => {
    const sentences = (rest + chunk.toString('latin1')).split('#')
    rest = sentences.pop() ?? ''
    const replies: string[] = []
    for (const sentence of sentences) {
      const [, , kind = '', stamp = ''] = sentence.trim().split(',')
      if (kind === 'V4') replies.push(stamp)
      else {
        link.tally.commands += 1
        to.write(`*HQ,${uniqueId},V4,${kind},DONE,${stamp}#`)
      }
    }
    return replies
  })
  return {
    async send(fixes) {
      for (const fix of fixes) socket.write(h02Sentence(uniqueId, fix))
      for (const _ of fixes) {
        const kind = await next('confirmation')
        if (kind !== 'V1') throw new Error(`${kind} confirmed instead of V1`)
      }
    },
    close: () => socket.destroy(),
  }
}
