# The image of Paygraph: Node, its libraries, and the service with its packages. Nothing else, so no shell and no npm.
#   docker build -t paygraph .
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges -p 4000:4000 --env-file .env paygraph
# src/docs/operate/image.md describes the image.
ARG NODE_IMAGE=node:24-slim

# The service as JavaScript, with the database client and the dashboard. It needs the packages for development.
FROM ${NODE_IMAGE} AS source
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN ["npm", "ci", "--ignore-scripts"]
COPY . .
RUN ["npm", "run", "--silent", "generate"]
RUN ["npm", "run", "--silent", "dashboard"]
RUN ["npm", "run", "--silent", "build"]

# The packages that run. Without the optional ones, no Postgres and no TypeScript come along.
FROM ${NODE_IMAGE} AS packages
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN ["npm", "ci", "--omit=dev", "--omit=optional", "--ignore-scripts"]

# Both together, without the files that the service never reads, and the program compiled.
FROM ${NODE_IMAGE} AS assembled
WORKDIR /app
COPY --from=packages /source/node_modules node_modules
COPY --from=source /source/build build
COPY --from=source /source/prisma/migrations prisma/migrations
COPY --from=source /source/schema schema
COPY --from=source /source/src/cli/paygraph.cjs src/cli/
COPY package.json LICENSE ./
COPY src/deploy/image /deploy
RUN ["node", "/deploy/warm.mjs"]
RUN ["node", "/deploy/assemble.mjs", "/image"]

FROM scratch
COPY --from=assembled /image /
LABEL org.opencontainers.image.title="Paygraph" \
  org.opencontainers.image.description="Self-hosted payment orchestration with a federated GraphQL API" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 PAYGRAPH_DATA_DIR=/data PATH=/usr/local/bin
USER 1000:1000
WORKDIR /app
EXPOSE 4000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["/usr/local/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "/app/src/cli/paygraph.cjs"]
CMD ["start"]
