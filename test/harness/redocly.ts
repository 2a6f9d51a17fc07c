import { createConfig, lintFromString } from '@redocly/openapi-core'

/** What Redocly's recommended rules find in an OpenAPI description, errors and warnings: rule, message and place. */
export async function redoclyProblems(description: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(description), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)
}
