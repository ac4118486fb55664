import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useConnection } from '../../data/connection.ts'
import { whenIdle } from '../../device/idle.ts'
import { renewPush } from '../../device/push.ts'

/** Opens what a pressed push message is about, and registers this device with the server after each sign-in. */
export function PushLinks({ userId }: { userId: string }) {
  const navigate = useNavigate()
  const { isOnline } = useConnection()
  useEffect(() => {
    return isOnline ? whenIdle(() => void renewPush()) : undefined
  }, [isOnline, userId])
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return undefined
    const open = ({ data }: MessageEvent<unknown>): void => {
      if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== 'OPEN' || !('path' in data)) return
      void navigate({ href: String(data.path) })
    }
    navigator.serviceWorker.addEventListener('message', open)
    return () => navigator.serviceWorker.removeEventListener('message', open)
  }, [navigate])
  return null
}
