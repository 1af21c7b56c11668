/**
 * Which variables of the environment each of Pi's providers reads: a child is given those of its own provider and no
 * others. A provider that isn't here can't be given a key; which providers and models there are, the child alone says.
 */
interface Variables {
  /** The one that is a secret and can be kept in keys.json. */
  key: string;
  /** What must stand beside it, none of it kept by us. */
  beside?: readonly string[];
}

const only = (key: string): Variables => ({ key });

export const keyVariables: Readonly<Record<string, Variables>> = {
  "amazon-bedrock": {
    key: "AWS_BEARER_TOKEN_BEDROCK",
    beside: ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
  },
  "ant-ling": only("ANT_LING_API_KEY"),
  anthropic: only("ANTHROPIC_API_KEY"),
  azure: {
    key: "AZURE_OPENAI_API_KEY",
    beside: ["AZURE_OPENAI_BASE_URL", "AZURE_OPENAI_RESOURCE_NAME", "AZURE_OPENAI_API_VERSION"],
  },
  baseten: only("BASETEN_API_KEY"),
  cerebras: only("CEREBRAS_API_KEY"),
  "cloudflare-ai-gateway": {
    key: "CLOUDFLARE_API_KEY",
    beside: ["CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_GATEWAY_ID"],
  },
  "cloudflare-workers-ai": { key: "CLOUDFLARE_API_KEY", beside: ["CLOUDFLARE_ACCOUNT_ID"] },
  deepseek: only("DEEPSEEK_API_KEY"),
  fireworks: only("FIREWORKS_API_KEY"),
  "github-copilot": only("COPILOT_GITHUB_TOKEN"),
  google: only("GEMINI_API_KEY"),
  "google-vertex": {
    key: "GOOGLE_CLOUD_API_KEY",
    beside: ["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS"],
  },
  groq: only("GROQ_API_KEY"),
  huggingface: only("HF_TOKEN"),
  "kimi-coding": only("KIMI_API_KEY"),
  meta: only("META_API_KEY"),
  minimax: only("MINIMAX_API_KEY"),
  "minimax-cn": only("MINIMAX_CN_API_KEY"),
  mistral: only("MISTRAL_API_KEY"),
  moonshotai: only("MOONSHOT_API_KEY"),
  "moonshotai-cn": only("MOONSHOT_API_KEY"),
  nvidia: only("NVIDIA_API_KEY"),
  openai: only("OPENAI_API_KEY"),
  opencode: only("OPENCODE_API_KEY"),
  "opencode-go": only("OPENCODE_API_KEY"),
  openrouter: only("OPENROUTER_API_KEY"),
  radius: only("RADIUS_API_KEY"),
  together: only("TOGETHER_API_KEY"),
  typesafe: only("TYPESAFE_API_KEY"),
  "vercel-ai-gateway": only("AI_GATEWAY_API_KEY"),
  xai: only("XAI_API_KEY"),
  xiaomi: only("XIAOMI_API_KEY"),
  zai: only("ZAI_API_KEY"),
  "zai-coding-cn": only("ZAI_CODING_CN_API_KEY"),
};
