static char line_[65536];
static void put_(const char*text,size_t size){memcpy(M+m_input((uint32_t)size),text,size);}
static int read_(void){size_t n=0;int c;while((c=getchar())!=EOF&&c!='\n')if(n<sizeof line_)line_[n++]=(char)c;
if(c==EOF&&!n)return 0;put_(line_,n);return 1;}
int main(int argc,char**argv){const char*parameters=argc>1?argv[1]:"";int reports=getenv("BOT_REPORT")!=NULL;unsigned long answers=0;
initialize();put_(parameters,strlen(parameters));
if(m_start()){fprintf(stderr,"the bot refuses the parameters `%s`\n",parameters);return 2;}
while(read_()){int32_t size=(int32_t)m_line();if(size==-1)continue;if(size<0)break;
fwrite(M+m_output(),1,(size_t)size,stdout);putchar('\n');if(fflush(stdout))break;answers++;
if(reports&&m_report_length()){fprintf(stderr,"report answer=%lu ",answers);fwrite(M+m_report(),1,m_report_length(),stderr);fputc('\n',stderr);}}
return 0;}
