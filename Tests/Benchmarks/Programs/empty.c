/* What the machine takes to start and to end a program at all. */
int main(void)
{
    return 0;
}
