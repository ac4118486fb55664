import { useEffect } from 'react'
import { connectLive, disconnectLive } from '../data/live.ts'
import { kindAdditions } from '../custom/kind-additions.ts'
import { connectOffline } from '../offline/session.ts'

/** The socket and the store of this device, as long as somebody is signed in. */
export function Connections() {
  useEffect(() => {
    connectLive()
    const stop = connectOffline(kindAdditions)
    return () => {
      stop()
      disconnectLive()
    }
  }, [])
  return null
}
