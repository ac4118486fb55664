import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Alert, Button, Space } from 'antd'
import { useState } from 'react'
import { api } from '../../data/api.ts'
import { StatusScreen } from '../StatusScreen.tsx'

interface Asked {
  company: string
  text: string
  status: 'REQUESTED' | 'GRANTED' | 'DECLINED' | 'EXPIRED'
}
type Answer = 'GRANTED' | 'DECLINED'

const thanks: Record<Answer, string> = {
  GRANTED: 'Thank you. Your consent was recorded.',
  DECLINED: 'Your refusal was recorded. Nobody will ask you again for this application.',
}

/** Asks a client, who opened the link of a message, for consent. The client has no account here; the link is what admits. */
export function ConsentScreen() {
  const { token = '' }: { token?: string } = useParams({ strict: false })
  const path = `/api/consent/${encodeURIComponent(token)}`
  const { data, error, isPending } = useQuery({
    queryKey: ['consent', token],
    queryFn: async () => (await api.get<Asked>(path)).data as unknown as Asked,
    retry: false,
  })
  const [answered, setAnswered] = useState<Answer>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const answer = async (value: Answer): Promise<void> => {
    setBusy(true)
    try {
      await api.post(path, { answer: value })
      setAnswered(value)
    } catch (cause) {
      setProblem(cause instanceof Error ? cause.message : 'Your answer could not be saved. Try again.')
    } finally {
      setBusy(false)
    }
  }
  if (isPending) return <div className="o-public-wait" role="status" aria-label="Loading" />
  if (error)
    return (
      <StatusScreen drawing="lost" title="This link is not valid any more">
        <p>Ask the person who sent it for a new one.</p>
      </StatusScreen>
    )
  const given = answered ?? (data.status === 'GRANTED' || data.status === 'DECLINED' ? data.status : undefined)
  if (given) return <StatusScreen drawing="done" title={thanks[given]} />
  if (data.status === 'EXPIRED')
    return (
      <StatusScreen drawing="lost" title="This request has expired">
        <p>Ask {data.company} for a new one.</p>
      </StatusScreen>
    )
  return (
    <>
      <h1>{data.company} asks for your consent</h1>
      <p className="o-public-lead">{data.text}</p>
      {problem && <Alert type="error" message={problem} showIcon role="alert" />}
      <Space wrap>
        <Button type="primary" size="large" loading={isBusy} onClick={() => void answer('GRANTED')}>
          Yes, I agree
        </Button>
        <Button size="large" disabled={isBusy} onClick={() => void answer('DECLINED')}>
          No
        </Button>
      </Space>
    </>
  )
}
