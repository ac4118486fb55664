import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from 'antd'
import { api } from '../../../data/api.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'

/** A stored file that is fetched with the session (a plain link would lack it). */
export function FileLink({ path, children }: { path: string; children: ReactNode }) {
  const [isLoading, setLoading] = useState(false)
  const open = async () => {
    setLoading(true)
    try {
      await api.download(path)
    } catch (error) {
      toast.danger({ title: t('The file could not be opened'), body: error instanceof Error ? error.message : undefined })
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      type="link"
      size="small"
      className="field-link"
      loading={isLoading}
      onClick={(event) => {
        event.stopPropagation()
        void open()
      }}
    >
      {children}
    </Button>
  )
}
