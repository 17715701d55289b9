{{- define "paygraph.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "paygraph.selector" -}}
app.kubernetes.io/name: paygraph
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "paygraph.labels" -}}
{{ include "paygraph.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* The settings of every process. The context has the roles of the process. */}}
{{- define "paygraph.env" -}}
- name: PORT
  value: '4000'
- name: PAYGRAPH_PUBLIC_URL
  value: {{ required "publicUrl: the address under which others reach Paygraph is required" .root.Values.publicUrl | quote }}
- name: PAYGRAPH_ROLES
  value: {{ .roles }}
- name: PAYGRAPH_METRICS
  value: {{ .root.Values.metrics.enabled | quote }}
{{- /* Requests inside the cluster name the service. */}}
{{- $service := include "paygraph.name" .root }}
{{- $inside := list $service (printf "%s.%s" $service .root.Release.Namespace) (printf "%s.%s.svc" $service .root.Release.Namespace) }}
- name: PAYGRAPH_ALLOWED_HOSTS
  value: {{ concat $inside (compact (list (.root.Values.settings.PAYGRAPH_ALLOWED_HOSTS | default "" | toString))) | join "," | quote }}
{{- range $name, $value := omit .root.Values.settings "PAYGRAPH_ALLOWED_HOSTS" }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{/* What every pod has: a plain user, nothing to write but /tmp, and no token of Kubernetes. */}}
{{- define "paygraph.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
{{- end -}}

{{- define "paygraph.container" -}}
name: paygraph
image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  {{- include "paygraph.env" . | nindent 2 }}
envFrom:
  - secretRef:
      name: {{ required "existingSecret: the name of a Secret with DATABASE_URL and PAYGRAPH_MASTER_KEY is required" .root.Values.existingSecret }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{/* The annotations of a pod. A PodMonitor needs none, and both together would read the metrics twice. */}}
{{- define "paygraph.annotations" -}}
{{- $scrape := dict }}
{{- if and .Values.metrics.enabled (not .Values.metrics.podMonitor.enabled) }}
{{- $scrape = dict "prometheus.io/scrape" "true" "prometheus.io/port" "4000" "prometheus.io/path" "/metrics" }}
{{- end }}
{{- with merge (dict) .Values.podAnnotations $scrape }}
{{- toYaml . }}
{{- end }}
{{- end -}}

{{/* A deployment. The context has the root, the name of the part, its values and its roles. */}}
{{- define "paygraph.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "paygraph.name" .root }}-{{ .part }}
  labels:
    {{- include "paygraph.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .part }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .values) }}
  replicas: {{ .values.replicas }}
  {{- end }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "paygraph.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .part }}
  template:
    metadata:
      labels:
        {{- include "paygraph.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .part }}
      {{- with include "paygraph.annotations" .root }}
      annotations:
        {{- . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "paygraph.pod" . | nindent 6 }}
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "paygraph.selector" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .part }}
      containers:
        - {{- include "paygraph.container" . | nindent 10 }}
          ports:
            - { name: http, containerPort: 4000 }
          # A start may wait for a database that starts too.
          startupProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 2
            failureThreshold: 90
          livenessProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 4
            failureThreshold: 2
          # Endpoints learn of the end after the pod does. Until then the pod answers.
          lifecycle:
            preStop:
              sleep: { seconds: 5 }
          resources:
            {{- toYaml .values.resources | nindent 12 }}
{{- end -}}
